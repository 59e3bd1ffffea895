import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { invariant } from '../../primitives/errors.ts'

const KNOWN = new Map<string, ReadonlySet<string>>()

/**
 * Returns the column names of a Parquet file, from its footer (parquet-format: FileMetaData in Thrift's compact protocol). A file
 * is read once per process, because data files never change. null: the file does not exist, and reading it will fail.
 */
export function fileColumns(path: string): ReadonlySet<string> | null {
  const known = KNOWN.get(path)
  if (known !== undefined) return known
  const footer = readFooter(path)
  if (footer === null) return null
  const columns = new Set(topLevelNames(schemaElements(new CompactReader(footer))))
  KNOWN.set(path, columns)
  return columns
}

/** Length of the footer in four bytes, then `PAR1`. */
const TAIL_BYTES = 8

function readFooter(path: string): Buffer | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(file)
    const tail = readAt(file, size - TAIL_BYTES, TAIL_BYTES)
    const length = tail.readUInt32LE(0)
    invariant(tail.toString('latin1', 4) === 'PAR1' && length < size, `${path} is not a Parquet file`)
    return readAt(file, size - TAIL_BYTES - length, length)
  } finally {
    closeSync(file)
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = readSync(file, bytes, 0, length, offset)
  invariant(read === length, `read ${read} bytes of a Parquet footer; expected ${length}`)
  return bytes
}

type SchemaElement = { readonly name: string; readonly children: number }

/** Names the children of the root; elements are in depth-first order. */
function topLevelNames([root, ...elements]: readonly SchemaElement[]): string[] {
  invariant(root !== undefined, 'the Parquet schema has no root')
  const names: string[] = []
  let inner = 0
  for (const { name, children } of elements) {
    if (inner === 0) names.push(name)
    else inner -= 1
    inner += children
  }
  return names
}

const FIELDS = { schema: 2, name: 4, children: 5 } as const

/** Field 2 of FileMetaData: a list of SchemaElement. */
function schemaElements(reader: CompactReader): SchemaElement[] {
  for (let field = reader.nextField(0); field !== null; field = reader.nextField(field.id)) {
    if (field.id !== FIELDS.schema) reader.skip(field.type)
    else return Array.from({ length: reader.listHeader().size }, () => schemaElement(reader))
  }
  return []
}

function schemaElement(reader: CompactReader): SchemaElement {
  let [name, children] = ['', 0]
  for (let field = reader.nextField(0); field !== null; field = reader.nextField(field.id)) {
    if (field.id === FIELDS.name) name = reader.text()
    else if (field.id === FIELDS.children) children = reader.zigzag()
    else reader.skip(field.type)
  }
  return { name, children }
}

const TYPE = { true: 1, false: 2, byte: 3, double: 7, binary: 8, list: 9, set: 10, struct: 12 } as const

type Field = { readonly id: number; readonly type: number }

/** Reader of the part of Thrift's compact protocol that a Parquet footer uses. */
class CompactReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The next field of a struct; null at its end. */
  nextField(last_id: number): Field | null {
    const header = this.#byte()
    if (header === 0) return null
    const step = header >> 4
    return { id: step === 0 ? this.zigzag() : last_id + step, type: header & 15 }
  }

  listHeader(): { readonly size: number; readonly type: number } {
    const header = this.#byte()
    const size = header >> 4
    return { size: size === 15 ? this.#varint() : size, type: header & 15 }
  }

  zigzag(): number {
    const coded = this.#varint()
    return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2
  }

  text(): string {
    const length = this.#varint()
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  skip(type: number): void {
    if (type === TYPE.true || type === TYPE.false) return
    if (type === TYPE.byte) this.#at += 1
    else if (type === TYPE.double) this.#at += 8
    else if (type === TYPE.binary) this.#at += this.#varint()
    else if (type === TYPE.list || type === TYPE.set) this.#skipList()
    else if (type === TYPE.struct) {
      for (let field = this.nextField(0); field !== null; field = this.nextField(field.id)) this.skip(field.type)
    } else this.#varint()
  }

  #skipList(): void {
    const { size, type } = this.listHeader()
    // In a list each boolean takes a byte.
    const item = type === TYPE.true || type === TYPE.false ? TYPE.byte : type
    for (let n = 0; n < size; n += 1) this.skip(item)
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    invariant(byte !== undefined, 'the Parquet footer is truncated')
    this.#at += 1
    return byte
  }

  #varint(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.#byte()
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
}
