import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findArchiveFile, readArchiveFile } from '../../connectors/archives/archive-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const text = Array.from({ length: 5000 }, (_, n) => `line ${n} ${(n * 7919) % 1013}\n`).join('')
const packed = gzipSync(text)

async function textOf(name: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of readArchiveFile(findArchiveFile(folder, name))) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function file(name: string, bytes: Uint8Array | string): string {
  writeFileSync(join(folder, `${name}.gz`), bytes)
  return name
}

test('reads a gzip file, one of several members, and a plain one', async () => {
  expect(await textOf(file('whole', packed))).toBe(text)
  expect(await textOf(file('two', Buffer.concat([packed, gzipSync('end')])))).toBe(`${text}end`)
  writeFileSync(join(folder, 'plain.csv'), text)
  expect(await textOf('plain.csv')).toBe(text)
})

describe('a damaged gzip file is refused', () => {
  const flipped = (place: number) => {
    const bytes = Buffer.from(packed)
    bytes[place] = bytes[place]! ^ 0x10
    return bytes
  }
  test.each([
    ['no byte', Buffer.alloc(0)],
    ['cut in the header', packed.subarray(0, 5)],
    ['cut in the middle', packed.subarray(0, packed.length >> 1)],
    ['cut in the checksum', packed.subarray(0, packed.length - 6)],
    ['without its last byte', packed.subarray(0, packed.length - 1)],
    ['a flipped checksum bit', flipped(packed.length - 7)],
    ['a flipped length bit', flipped(packed.length - 2)],
    ['garbage after the end', Buffer.concat([packed, Buffer.from('garbage')])],
    ['plain text', Buffer.from(text)],
  ])('%s', async (name, bytes) => {
    await expect(textOf(file(name.replaceAll(' ', '-'), bytes))).rejects.toMatchObject({
      code: 'VALIDATION_ARCHIVE_INVALID',
    })
  })

  test('a flipped data bit never goes unseen', async () => {
    for (let place = 12; place < packed.length - 8; place += 997) {
      const name = file(`flip-${place}`, flipped(place))
      await expect(textOf(name)).rejects.toMatchObject({ code: 'VALIDATION_ARCHIVE_INVALID' })
    }
  })
})

test('a missing file, a missing folder and a folder in place of a file are named', async () => {
  const unreadable = { code: 'VALIDATION_INPUT_UNREADABLE' }
  const find = (dir: string, name: string) => () => findArchiveFile(dir, name)
  expect(find(folder, 'absent.csv')).toThrow(expect.objectContaining(unreadable))
  expect(find(join(folder, 'nowhere'), 'absent.csv')).toThrow(expect.objectContaining(unreadable))
  mkdirSync(join(folder, 'folder.csv'))
  expect(find(folder, 'folder.csv')).toThrow(expect.objectContaining(unreadable))
})
