import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { filesIn, type Packed } from "./packed.ts";

/**
 * A registry with one package more than the one that npm is configured for, which answers for all others. npm heeds a
 * package's shrinkwrap only where a registry says that it has one, not in a tarball that is named by its path.
 */
export async function serveRegistry(packed: Packed): Promise<AsyncDisposable & { url: string }> {
  const { name, version } = packed.manifest;
  const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const tarball = readFileSync(packed.tarball);
  const server = createServer((request, response) => {
    if (request.url === `/${name}`) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(description(`http://${request.headers.host}/${name}.tgz`)));
    } else if (request.url === `/${name}.tgz`) {
      response.end(tarball);
    } else {
      response.writeHead(302, { Location: new URL(`.${request.url}`, others).href }).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function description(url: string) {
    const dist = { tarball: url, integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}` };
    const _hasShrinkwrap = filesIn(packed).includes("npm-shrinkwrap.json");
    const versions = { [version]: { ...packed.manifest, _hasShrinkwrap, dist } };
    return { name, "dist-tags": { latest: version }, versions };
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
