import { type IncomingHttpHeaders, request } from "node:http";

export interface Seen {
  url: string;
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** Follows redirects with cookies, as a browser does. Names in `hosts` lead to other servers than the address says. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly hosts = new Map<string, string>();

  /** @param until stops before an address that has it, which is in `url` of the answer. */
  async open(address: string, { until }: { until?: string } = {}): Promise<Seen> {
    let url = new URL(address);
    for (let count = 0; count < 20; count += 1) {
      const seen = await this.#ask(url);
      const { location } = seen.headers;
      if (location === undefined) return seen;
      url = new URL(location, url);
      if (until !== undefined && url.href.includes(until)) return { ...seen, url: url.href };
    }
    throw new Error("Too many redirects.");
  }

  cookiesOf(origin: string): Map<string, string> {
    const known = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, known);
    return known;
  }

  #ask(url: URL): Promise<Seen> {
    const cookies = this.cookiesOf(url.origin);
    const target = new URL(url.pathname + url.search, this.hosts.get(url.origin) ?? url.origin);
    const headers = {
      Host: url.host,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      ...{ "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
    };
    return new Promise((resolve, reject) => {
      const asked = request(target, { headers, agent: false }, (response) => {
        for (const line of response.headers["set-cookie"] ?? []) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => {
          resolve({ url: url.href, status: response.statusCode ?? 0, body, headers: response.headers });
        });
      });
      asked.on("error", reject).end();
    });
  }
}

/** What the page that ends a sign-in gives the browser; `null` for another page. */
export function givenIn({ body }: Seen): { token: string; return_to: string } | null {
  const [, data] = /id="signed-in">(.*?)<\/script>/.exec(body) ?? [];
  return data === undefined ? null : JSON.parse(data);
}
