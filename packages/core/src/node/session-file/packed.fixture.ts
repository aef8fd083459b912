const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const BLOCK_BYTES = 128 * 1024;
const RAW = 0;
const REPEATED = 1;

/** A zstd frame that holds a text as it is. */
export function packed(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    blocks.push(blockHead(RAW, block.length, at + BLOCK_BYTES >= bytes.length), block);
  }
  return Buffer.concat([frameHead(), ...blocks]);
}

/** A small zstd frame with as many spaces as there are blocks of 128 KiB. */
export function packedSpaces(blocks: number): Buffer {
  const space = Buffer.from(" ");
  const parts = Array.from({ length: blocks }, (_, at) =>
    Buffer.concat([blockHead(REPEATED, BLOCK_BYTES, at === blocks - 1), space]),
  );
  return Buffer.concat([frameHead(), ...parts]);
}

/** Without checksum and size of the content, with a window of 1 MiB (RFC 8878, section 3.1.1.1). */
function frameHead(): Buffer {
  return Buffer.concat([MAGIC, Buffer.from([0x00, 0x50])]);
}

function blockHead(type: number, length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE((length << 3) | (type << 1) | Number(isLast), 0, 3);
  return head;
}
