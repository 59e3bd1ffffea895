import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  COMPRESSIONS,
  findArchiveFile,
  readArchiveFile,
  uncompressedName,
  withoutSecondCopies,
} from '../../connectors/archives/archive-file.ts'
import { isTableName } from '../../connectors/archives/file-names.ts'
import { renderFileNames } from '../../tools/docs/accepted-forms.ts'
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

/** `text` in two streams of bzip2 with the smallest blocks; the second ends in runs of equal bytes. */
const BZIP2 = Buffer.from(
  [
    'QlpoMTFBWSZTWfLVIDgAZhPYAAAQQAB/IFADPeABQCCAGBADAgBgFJUQ09ApUmZVB2Qn6QnwhPCE8kJyQmSE4Qn0hOkJkhPSE5ITJCdITxCYQm',
    'EJyQn0hOyEyQnpCcITJCdkJ4hMkJkhOSE+ITshMITxCckJkhOyE9ITJCZIThCfEJ0hMkJ6QnJCYQnSE9ITCEyQnJCfSE6QmSE9IThCZITshPEJ',
    'hCYQnJCfSE7ITJCeIThCZITshPSEyQmSExCdEJ3IT6QnCE2QmyE/pCaQmSE2QmxCbEJqQmxCakJsQmxCakJsQmiE2ITUhNiE2ITUhNSE0QmpCa',
    'kJsQmiE0QmxCakJsQmiE1ITUhNiE2ITUhNiE2ITYhNiE5BUNxFVLqBUMoqpYCoaiqloFQ1FVLAVDSKqWAqHpigrJMprNZJwioAGGxsAAAIIAA/',
    'kCABfgAAHBADAgBgJqVRgApUmZVJ6n3aE1CfUJ/UJ/IT8hMQnKE+QnaExCeQnEJiE7QnqEyhMoTiE+QnUJiE8hOUJiE6hPUJiExCcQn1CdQmUJ',
    '6hOITEJ1CeQmITEJyhPqE7QmITyE4hMoTtCeQmUJiE4hPkJ2hMQnkJyhMQnUJ6hMoTKE4hPkJ1CYhPUJyhMQnUJ5CYhMQnKE+oTqEyhM/UJxCa',
    'hPyE2hMQmoTZCbITSE2QmkJshNkJpCbITVCbITSE2QmyE0hNITVCaQmkJshNUJqhNkJpCbITVCaQmkJshNkJpCbITZCbITSE/36FRYgTKoVakC',
    'aVCrSBMqhVpAmlQqyQJpUKvhdyRThQkEk5xCVCWmgxMUFZJlNZyytj9gBrS9kIwBBAAH8gPAAAEAAIUANeAAAHjEeqDQBp6hQ00wAFDTTAAJql',
    'E0DE0wUqTTyqjT1NB94RH5IjSI+iI+iI+ERhEcIjyRHSIyRHpEcIjCI6RHpEYRGERyRHhEdkRhEekRwiMIjpEekRzJEZIjhEdIjpEYRHpEckRh',
    'EdIj0iMIjCI4RHhEdIjJEeyI4RGER0iPSIwiMIjkiPCI6RGER6RHCIyRHZEekRhEYRHCI8IjpEYRHpEcIjCI6RHsiMIjJEcIjwiOkRhEefCI0i',
    'NIj4RHpEZIjSI0RGiI2IjREbERoiNiI2IjREaIjREaIjREbER3YiNERoiOpEaIjREaIjREbERsRGiI0RGxEaIjREbERsRGiI2IjREealK3QBvC',
    'pTCAMqUr9iSItCAMhUphAGQqUwgDKFSmEAAmnAzKBKp8XckU4UJDLK2P2A',
  ].join(''),
  'base64',
)
const bzip2_text = `${Array.from({ length: 60_000 }, (_, n) => `${n % 7} ${(n * n) % 11}\n`).join('')}${'a'.repeat(700)}b${'c'.repeat(4)}d`

describe('bzip2', () => {
  const named = async (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    const chunks: Buffer[] = []
    for await (const chunk of readArchiveFile({ path: join(folder, name), name, bytes: bytes.length }))
      chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  test('is known by its name or by what is in it; several streams, many blocks and runs', async () => {
    expect(await named('1.2345.bz2', BZIP2)).toBe(bzip2_text)
    expect(await named('1.2345', BZIP2)).toBe(bzip2_text)
    expect(await named('empty.bz2', Buffer.from('425a683917724538509000000000', 'hex'))).toBe('')
  })

  test('of a file in both forms the compressed one is found', () => {
    writeFileSync(join(folder, 'both.csv'), 'plain')
    writeFileSync(join(folder, 'both.csv.bz2'), BZIP2)
    expect(findArchiveFile(folder, 'both.csv').name).toBe('both.csv.bz2')
  })

  test('a cut file, a flipped bit and garbage after the end are refused, wherever they are', async () => {
    const refused = {
      code: 'VALIDATION_ARCHIVE_INVALID',
      message: expect.stringContaining('allowed: a complete bzip2 file'),
    }
    for (let place = 0; place < BZIP2.length; place += 41) {
      await expect(named('cut.bz2', BZIP2.subarray(0, place)), `cut at ${place}`).rejects.toMatchObject(refused)
      const flipped = Buffer.from(BZIP2)
      flipped[place]! ^= 1 << (place % 8)
      await expect(named('flip.bz2', flipped), `flipped at ${place}`).rejects.toMatchObject(refused)
    }
    await expect(named('more.bz2', Buffer.concat([BZIP2, Buffer.from('garbage')]))).rejects.toMatchObject(refused)
  })
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

test.each(COMPRESSIONS)(
  '$form: of several copies of a file the one of the earlier compression is read',
  ({ ending, form }) => {
    const copies = COMPRESSIONS.map((one) => one.ending)
    const files = [...copies, ''].map((end) => ({ path: `x.csv${end}`, name: `x.csv${end}`, bytes: 1 }))
    const some = files.slice(copies.indexOf(ending))
    expect(withoutSecondCopies(some).files.map(({ name }) => name)).toEqual([`x.csv${ending}`])
    expect(withoutSecondCopies(some).copies).toHaveLength(some.length - 1)
    expect([uncompressedName(`X.CSV${ending.toUpperCase()}`), isTableName(`x.csv${ending}`)]).toEqual(['X.CSV', true])
    expect([isTableName(`x.parquet${ending}`), renderFileNames().includes(`\`${ending}\` (${form})`)]).toEqual([
      false,
      true,
    ])
  },
)

test('a missing file, a missing folder and a folder in place of a file are named', async () => {
  const unreadable = { code: 'VALIDATION_INPUT_UNREADABLE' }
  const find = (dir: string, name: string) => () => findArchiveFile(dir, name)
  expect(find(folder, 'absent.csv')).toThrow(expect.objectContaining(unreadable))
  expect(find(join(folder, 'nowhere'), 'absent.csv')).toThrow(expect.objectContaining(unreadable))
  mkdirSync(join(folder, 'folder.csv'))
  expect(find(folder, 'folder.csv')).toThrow(expect.objectContaining(unreadable))
})
