import { beginsWord, type Detector, eachMatch } from "./finding.ts";

interface TokenPattern {
  type: string;
  /** Starts with the identifying part; the lookbehind group, of limited length, is the text before it. */
  pattern: RegExp;
  /** What may directly precede the token. */
  behind?: string;
}

/** Tokens identified by their middle. */
const patterns: readonly TokenPattern[] = [
  // https://core.telegram.org/bots/api#authorizing-your-bot
  { type: "telegram-token", pattern: /:AA(?<=(\d{8,10}):AA)[\w-]{33}(?![\w-])/g, behind: "/bot" },
  // https://discord.com/developers/docs/reference#authentication: the id in base64, a time, and a signature
  {
    type: "discord-token",
    pattern: /\.[\w-]{6}\.(?<=([MNO][\w-]{22,28})\.[\w-]{6}\.)[\w-]{27,38}(?![\w-])/g,
  },
  // https://learn.microsoft.com/en-us/purview/sit-defn-client-secret-api-key: secrets of Microsoft Entra applications
  {
    type: "azure-client-secret",
    pattern: /Q~(?<=([\w.~-]{3}\d)Q~)[\w.~-]{31,34}(?![\w.~-])/g,
  },
  // https://mailchimp.com/developer/marketing/docs/fundamentals
  { type: "mailchimp-key", pattern: /-us(?<=([0-9a-f]{32})-us)\d{1,2}(?![\w-])/g },
  // https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
  { type: "terraform-token", pattern: /\.atlasv1\.(?<=([A-Za-z0-9]{14})\.atlasv1\.)[\w-]{60,}/g },
];

/** Finds tokens with a known format but without a prefix. */
export const findOtherTokens: Detector = (text, report) => {
  for (const { type, pattern, behind } of patterns) {
    eachMatch(pattern, text, (match) => {
      const start = match.index - (match[1]?.length ?? 0);
      if (beginsWord(text, start) || (behind !== undefined && text.endsWith(behind, start)))
        report(start, match.index + match[0].length, type);
    });
  }
};
