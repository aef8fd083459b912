/** Words for a password in various languages. */
export const PASSWORD = [
  "pass(?:word|wd|phrase|code)|(?<![a-z])pass|pwd|(?<![a-z])(?:psk|mdp|pw(?![a-z]))|wpa[_-]?passphrase",
  // Chinese, Japanese, Korean
  "密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드",
  // German, Dutch, Scandinavian languages, Finnish
  "passwort|kennwort|wachtwoord|lösenord|passord|adgangskode|salasana",
  // French, Spanish, Portuguese, Italian, Romanian, Vietnamese
  "mots?[ _-]de[ _-]passe|contrase(?:ñ|n)a|(?<![a-z])(?:senha|parol[aă])|palavra[ _-](?:passe|chave)|mật khẩu",
  // Russian, Ukrainian, Polish, Czech, Hungarian, Turkish, Greek, Hebrew, Arabic, Thai, Hindi
  "парол[ья]|(?<![a-z])(?:has[łl]o|heslo|jelszó|şifre)|κωδικός|סיסמה|كلمة (?:المرور|السر)|รหัสผ่าน|पासवर्ड",
].join("|");

const KEY_OF = [
  ...["access", "account", "admin", "aes", "api", "app(?:lication)?", "auth", "client", "cookie", "deploy"],
  ...["encryption", "functions", "hmac", "licen[cs]e", "master", "plex", "private", "recovery", "root", "secret"],
  ...["server", "service", "session", "shared", "signing", "storage", "subscription", "unseal", "webhook"],
];

/** Words for generated secrets: keys and tokens. */
export const SECRET = [
  `secret|token|credentials?|(?:${KEY_OF.join("|")})[ _-]?key(?:[ _-]?base|[ ]\\d)?|(?<![a-z])auth`,
  "(?<=[?&])(?:sig|x-(?:amz|goog)-signature)|client-(?:key|certificate)-data",
  "密钥|密鑰|秘钥|金鑰|令牌|シークレット|トークン|秘密鍵|비밀키|토큰",
  "(?:api|geheim|zugangs)-?schlüssel|cl(?:é|e|ave)[ _-](?:api|secr[eè]te|secreta)|chave[ _-](?:api|secreta)|токен|ключ",
].join("|");
