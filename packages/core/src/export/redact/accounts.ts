/** Account names of systems, images and services, which identify nobody. */
const SHARED_ACCOUNTS = new Set([
  ...["root", "user", "users", "username", "admin", "administrator", "me", "you", "name", "dev", "developer", "test"],
  ...["ubuntu", "debian", "ec2-user", "pi", "vagrant", "vscode", "node", "runner", "runneradmin", "codespace", "coder"],
  ...["circleci", "jenkins", "gitpod", "app", "git", "hg", "svn", "www-data", "postgres", "mysql", "oauth2", "docker"],
  ...["x-access-token", "project", "src", "build", "work", "home", "data", "bin", "lib", "opt", "var", "tmp", "usr"],
]);

/** Whether an account may belong to a person. */
export function isPersonal(account: string): boolean {
  return account.length >= 3 && !SHARED_ACCOUNTS.has(account.toLowerCase());
}
