import { constants, crc32, inflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  content: Buffer;
  /** As `unzip` sets it: from the extended timestamp. */
  modifiedAt: Date;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL_DIRECTORY = 0x06054b50;
const UTF8_NAME = 1 << 11;
const EXTENDED_TIMESTAMP = 0x5455;

/** Reads a small zip by its specification (PKWARE APPNOTE), and fails where anything in it does not fit together. */
export function readZip(zip: Buffer): ZipEntry[] {
  const end = zip.length - 22;
  check(zip.readUInt32LE(end) === END_OF_CENTRAL_DIRECTORY, "no end of central directory");
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  check(at + zip.readUInt32LE(end + 12) === end, "the central directory has another size");
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    check(zip.readUInt32LE(at) === CENTRAL_HEADER, "no central header");
    check((zip.readUInt16LE(at + 8) & UTF8_NAME) !== 0, "the name is not said to be UTF-8");
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const extraEnd = nameEnd + zip.readUInt16LE(at + 30);
    const name = zip.subarray(at + 46, nameEnd);
    const content = contentOf(zip, { header: at, name });
    entries.push({ name: utf8(name), content, modifiedAt: timestampIn(zip.subarray(nameEnd, extraEnd)) });
    at = extraEnd + zip.readUInt16LE(at + 32);
  }
  check(at === end, "the central directory ends elsewhere");
  return entries;
}

function contentOf(zip: Buffer, { header, name }: { header: number; name: Buffer }): Buffer {
  const local = zip.readUInt32LE(header + 42);
  check(zip.readUInt32LE(local) === LOCAL_HEADER, "no local header");
  const start = local + 30;
  const nameEnd = start + zip.readUInt16LE(local + 26);
  check(zip.subarray(start, nameEnd).equals(name), "the local header has another name");
  const data = nameEnd + zip.readUInt16LE(local + 28);
  const content = inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(header + 20)), {
    finishFlush: constants.Z_FINISH,
  });
  check(content.length === zip.readUInt32LE(header + 24), "another size");
  check(crc32(content) === zip.readUInt32LE(header + 16), "another checksum");
  return content;
}

function timestampIn(extra: Buffer): Date {
  check(extra.readUInt16LE(0) === EXTENDED_TIMESTAMP, "no extended timestamp");
  return new Date(extra.readInt32LE(5) * 1000);
}

function utf8(name: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(name);
}

function check(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(`This is no proper zip: ${problem}.`);
}
