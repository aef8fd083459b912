import { expect, it } from "vitest";
import { internetLookup, isInternetAddress } from "./internet-address.ts";

it.each(["8.8.8.8", "142.250.74.138", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001:800::200a"])(
  "%s is on the internet",
  (address) => {
    expect(isInternetAddress(address)).toBe(true);
  },
);

it.each([
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "::ffff:8.8.8.8",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:db8::1",
  "3fff::1",
  "fd00::1",
  "fe80::1",
  "ff02::1",
  "localhost",
  "",
  "1.2.3",
])("%s is not", (address) => {
  expect(isInternetAddress(address)).toBe(false);
});

it("networks of this machine are not, whatever their addresses", () => {
  const interfaces = {
    lan: [
      { address: "8.8.8.10", cidr: "8.8.8.10/24" },
      { address: "2a00:1450:4001:800::1", cidr: "2a00:1450:4001:800::1/64" },
    ],
    tunnel: [
      { address: "9.9.9.9", cidr: "9.9.9.9/0" },
      { address: "1.1.1.1", cidr: null },
      { address: "fe80::1%tunnel", cidr: null },
    ],
  };
  const isOn = (address: string) => isInternetAddress(address, interfaces);
  expect(["8.8.8.8", "2a00:1450:4001:800::200a", "9.9.9.9", "1.1.1.1"].filter(isOn)).toEqual([]);
  expect(["8.8.9.8", "2a00:1450:4001:801::1", "9.9.9.8", "1.1.1.2"].filter((address) => !isOn(address))).toEqual([]);
});

it("finds no address of this machine", async () => {
  const error = await new Promise((resolve) => internetLookup("localhost", { all: true }, resolve));
  expect(error).toMatchObject({ code: "EACCES" });
});
