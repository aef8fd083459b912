import type { ShellName } from "./complete.ts";

/** Runs the program to be completed with the words as typed. */
const BASH = `# bash completion of session-cli: source <(session-cli completion bash)
_session_cli() {
  local -a words=() found=()
  local at word value description last=""
  # bash takes words apart at = and :, which belong to them here.
  for ((at = 1; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if ((\${#words[@]} > 0)) && [[ $word == [=:]* || $last == *[=:] ]] && _session_cli_joined "$at"; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    last=$word
  done
  local current=\${words[\${#words[@]}-1]} own=\${COMP_WORDS[COMP_CWORD]}
  [[ $own == [=:] ]] && own=""
  # What stands before the part that bash replaces.
  local lead=\${current:0:\${#current}-\${#own}}
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    case $value in
      :files) compopt -o default ;;
      :directories) compopt -o dirnames ;;
      :) ;;
      *) found+=("\${value:\${#lead}}"$'\\t'"$description") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete bash -- "\${words[@]}" 2> /dev/null)
  compopt -o nosort 2> /dev/null
  for value in "\${found[@]}"; do
    description=\${value#*$'\\t'}
    value=\${value%%$'\\t'*}
    # Descriptions are for lists alone, which a second TAB asks for.
    if [[ -n $description && \${#found[@]} -gt 1 && ( $COMP_TYPE == 63 || $COMP_TYPE == 33 ) ]]; then
      COMPREPLY+=("$value  ($description)")
    else
      COMPREPLY+=("$value")
    fi
  done
}

# Whether nothing but the break is between a word and the one before it.
_session_cli_joined() {
  [[ $COMP_LINE == *"\${COMP_WORDS[$1-1]}\${COMP_WORDS[$1]}"* ]]
}

complete -F _session_cli session-cli
`;

const ZSH = `#compdef session-cli
# zsh completion of session-cli: source <(session-cli completion zsh), or a file _session-cli in a folder of $fpath
_session-cli() {
  local line value description files=""
  local -a found
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      files=\${line#:}
    else
      value=\${line%%$'\\t'*}
      description=\${line#*$'\\t'}
      found+=("\${value//:/\\\\:}\${description:+:$description}")
    fi
  done < <("\${words[1]}" __complete zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  (( $#found )) && _describe -V 'session-cli' found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]} l:|=* r:|=*'
  case $files in
    files) _files ;;
    directories) _files -/ ;;
  esac
}

if [[ "$funcstack[1]" == _session-cli ]]; then
  _session-cli "$@"
else
  compdef _session-cli session-cli
fi
`;

const FISH = `# fish completion of session-cli: session-cli completion fish | source
function __session_cli_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    for line in ($program __complete fish -- $words (commandline -ct) 2> /dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :directories
                __fish_complete_directories (commandline -ct)
            case ':'
            case '*'
                echo $line
        end
    end
end

complete -c session-cli -f -k -a '(__session_cli_complete)'
`;

/** Scripts that enable completion in each shell. */
export const SCRIPTS: Readonly<Record<ShellName, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
