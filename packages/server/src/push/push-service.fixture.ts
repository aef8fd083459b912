import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

// For tests only: a certificate of push.example.org that it signed itself.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIUHXqa2qWatc9qNZZzXiURFRk0RuUwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLm9yZzAgFw0yNjExMjYxODIxNTRaGA8y
MTI2MTEwMjE4MjE1NFowGzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLm9yZzBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABOeN3MoejqE5BDAmm34kUtUQkTtnYril+6WC
jSIhgjHg1y9SZ+fRl9kpqw7Y1gh6aBVe5psaZFKeoxM+owYbPmWjcDBuMB0GA1Ud
DgQWBBQjekvkhQwxTT6ecdXb4xp0CG5vhTAfBgNVHSMEGDAWgBQjekvkhQwxTT6e
cdXb4xp0CG5vhTAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHB1c2guZXhh
bXBsZS5vcmcwCgYIKoZIzj0EAwIDRwAwRAIgbXwfouISCVlck05x5aMnBy8YE4H+
MeJaYNy9zyc46T8CIEIgPa4sQJUu1Cu94xWxHyg6d7woSXHshzzic9FD0Oza
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaSjqxOHlGrNbnXY0
WLK09lTyrjn81RsV5ruFdE3Ld+WhRANCAATnjdzKHo6hOQQwJpt+JFLVEJE7Z2K4
pfulgo0iIYIx4NcvUmfn0ZfZKasO2NYIemgVXuabGmRSnqMTPqMGGz5l
-----END PRIVATE KEY-----`;

/** What a push service was sent. */
export interface ReceivedPush {
  headers: Record<string, string | string[] | undefined>;
  path: string;
  body: Buffer;
}

/** A push service on this machine, under the name push.example.org, and a browser that has subscribed to it. */
export async function openPushService() {
  const received: ReceivedPush[] = [];
  let answer = answerOf(201);
  const server = createServer({ cert: CERTIFICATE, key: KEY }, async (request, response) => {
    received.push({ headers: request.headers, path: request.url ?? "", body: await buffer(request) });
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `https://push.example.org:${port}/send/`,
    /** Options of a sender that finds it. */
    sending: {
      ca: CERTIFICATE,
      lookup: ((_hostname: string, { all }: { all?: boolean }, callback: (...found: unknown[]) => void) => {
        if (all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
        else callback(null, "127.0.0.1", 4);
      }) as never,
    },
    answerWith: (how: number | ((response: ServerResponse) => unknown)) => {
      answer = typeof how === "number" ? answerOf(how) : how;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answerOf(status: number): (response: ServerResponse) => unknown {
  return (response) => response.writeHead(status).end();
}

/** A browser's end of a subscription. */
export function createBrowser() {
  const keys = createECDH("prime256v1");
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    p256dh: publicKey.toString("base64url"),
    auth: auth.toString("base64url"),
    /** Decrypts a message as RFC 8291 says, without the library that has encrypted it. */
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const sender = body.subarray(21, 21 + (body[20] ?? 0));
      const message = body.subarray(21 + sender.length);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
      const input = expand(extract(auth, keys.computeSecret(sender)), info, 32);
      const secret = extract(salt, input);
      const key = expand(secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = expand(secret, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(message.subarray(-16));
      const padded = Buffer.concat([decipher.update(message.subarray(0, -16)), decipher.final()]);
      // The last record ends with the byte 2 and zeros.
      return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
    },
  };
}

/** Checks that a message is signed with the key that browsers subscribe with (RFC 8292); returns what is claimed. */
export function verifySignature(authorization: string, publicKey: string): Record<string, unknown> {
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) };
  const isValid =
    key === publicKey &&
    verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
  if (!isValid) throw new Error("The signature is wrong.");
  return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Record<string, unknown>;
}

function extract(salt: Buffer, input: Buffer): Buffer {
  return createHmac("sha256", salt).update(input).digest();
}

function expand(key: Buffer, info: Buffer, length: number): Buffer {
  return createHmac("sha256", key).update(info).update(Buffer.of(1)).digest().subarray(0, length);
}
