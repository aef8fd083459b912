import { describe, expect, it, vi } from "vitest";
import { type AccountLookup, RemoteEnds } from "./remote-ends.ts";

const OTHER = "It comes from another account.";
const here = () => ({ remoteAddress: "127.0.0.1", remotePort: 40_000, localAddress: "127.0.0.1", localPort: 52_131 });

describe("the other end of a connection", () => {
  it.each([null, OTHER])("is looked up once (%s)", (doubt) => {
    const lookUp = vi.fn<AccountLookup>(() => doubt);
    const ends = new RemoteEnds(lookUp);
    const socket = here();
    for (let request = 0; request < 3; request += 1) {
      expect(ends.registerConnection(socket)).toBeNull();
      expect(ends.of(socket)).toEqual({ isUnixSocket: false, doubt });
    }
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it("is in doubt until the looking up is over", async () => {
    const lookUp = vi.fn<AccountLookup>(async () => null);
    const ends = new RemoteEnds(lookUp);
    const socket = here();
    expect(ends.of(socket).doubt).not.toBeNull();
    const known = ends.registerConnection(socket);
    expect(ends.registerConnection(socket)).toBe(known);
    expect(ends.of(socket).doubt).not.toBeNull();
    await known;
    expect([ends.registerConnection(socket), ends.of(socket).doubt, lookUp.mock.calls.length]).toEqual([null, null, 1]);
  });

  it.each(["203.0.113.7", undefined])("is not looked up where it is not on this machine (%s)", (remoteAddress) => {
    const lookUp = vi.fn<AccountLookup>(() => null);
    expect(new RemoteEnds(lookUp).registerConnection({ ...here(), remoteAddress })).toBeNull();
    expect(lookUp).not.toHaveBeenCalled();
  });

  it("is beyond doubt on the UNIX socket, and where accounts are not looked up", () => {
    const ends = new RemoteEnds(() => OTHER);
    const socket = {};
    ends.registerUnixSocket(socket);
    expect(ends.of(socket)).toEqual({ isUnixSocket: true, doubt: null });
    expect(new RemoteEnds(undefined).of(here()).doubt).toBeNull();
  });
});
