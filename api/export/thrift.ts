/** The parts of the Thrift compact protocol that a Parquet footer needs (thrift/doc/specs/thrift-compact-protocol.md). */

const TYPES = { i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const
type TypeName = keyof typeof TYPES

/** A value with its type, encoded. */
export type Encoded = { readonly type: TypeName; readonly bytes: Buffer }

export const i32 = (value: number): Encoded => ({ type: 'i32', bytes: zigzag(value) })
export const i64 = (value: number): Encoded => ({ type: 'i64', bytes: zigzag(value) })

/** Encodes a text in UTF-8. */
export function binary(text: string): Encoded {
  const bytes = Buffer.from(text, 'utf8')
  return { type: 'binary', bytes: Buffer.concat([varint(bytes.length), bytes]) }
}

/** Encodes a list of items that are encoded already. */
export function list(of: TypeName, items: readonly Buffer[]): Encoded {
  const short = items.length < 15
  const head = short ? Buffer.from([(items.length << 4) | TYPES[of]]) : Buffer.from([0xf0 | TYPES[of]])
  return { type: 'list', bytes: Buffer.concat([head, short ? Buffer.alloc(0) : varint(items.length), ...items]) }
}

/** Encodes a struct; the keys are its field ids, in ascending order. */
export function struct(fields: Readonly<Record<number, Encoded>>): Encoded {
  const pieces: Buffer[] = []
  let before = 0
  for (const [name, { type, bytes }] of Object.entries(fields)) {
    const id = Number(name)
    pieces.push(Buffer.from([((id - before) << 4) | TYPES[type]]), bytes)
    before = id
  }
  return { type: 'struct', bytes: Buffer.concat([...pieces, Buffer.from([0])]) }
}

/** Encodes a non-negative integer. File offsets exceed 32 bits, so the arithmetic is that of safe integers. */
export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  return Buffer.from([...bytes, rest])
}

/** Encodes a non-negative number of a signed type: its double, because the lowest bit is the sign. */
function zigzag(value: number): Buffer {
  return varint(value * 2)
}
