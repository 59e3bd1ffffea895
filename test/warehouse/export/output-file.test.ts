import { execFileSync, spawn } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { writeReadyFile } from '../../../service/up/ready-file.ts'
import { moveToOutput, writeOutput } from '../../../warehouse/export/output-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const OUT = { option: 'out' }
const root = tempFolder()
const newFolder = () => mkdtempSync(join(root, 'one-'))

test('a missing or regular file is replaced, whole or not at all', async () => {
  const folder = newFolder()
  const file = join(folder, 'a.txt')
  await writeOutput(file, 'first', OUT)
  await writeOutput(file, 'second', { ...OUT, mode: 0o600 })
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const failing = async (stream: NodeJS.WritableStream) => {
    stream.write('half')
    throw new Error('the source broke')
  }
  await expect(writeOutput(file, failing, OUT)).rejects.toThrow('the source broke')
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

test('a link stays, and the file it names is replaced or made', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'far'))
  writeFileSync(join(folder, 'far/old.txt'), 'old')
  symlinkSync('far/old.txt', join(folder, 'link'))
  symlinkSync('link', join(folder, 'again'))
  symlinkSync('far/new.txt', join(folder, 'dangling'))
  await writeOutput(join(folder, 'again'), 'new', OUT)
  await writeOutput(join(folder, 'dangling'), 'made', OUT)
  expect(readFileSync(join(folder, 'far/old.txt'), 'utf8')).toBe('new')
  expect(readFileSync(join(folder, 'far/new.txt'), 'utf8')).toBe('made')
  expect(readlinkSync(join(folder, 'link'))).toBe('far/old.txt')
  expect(readlinkSync(join(folder, 'dangling'))).toBe('far/new.txt')
  expect(readdirSync(join(folder, 'far'))).toEqual(['new.txt', 'old.txt'])
})

test('a pipe is written into and stays a pipe', async () => {
  const folder = newFolder()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const read = async () => text(spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] }).stdout)
  const long = 'x'.repeat(300_000)
  expect((await Promise.all([read(), writeOutput(pipe, long, OUT)]))[0]).toBe(long)
  const ready = { base_url: 'http://127.0.0.1:1' } as Parameters<typeof writeReadyFile>[1]
  expect(JSON.parse((await Promise.all([read(), writeReadyFile(pipe, ready)]))[0])).toEqual(ready)
  expect(lstatSync(pipe).isFIFO()).toBe(true)
  const finished = join(folder, 'finished')
  writeFileSync(finished, 'rows')
  await expect(moveToOutput(finished, pipe, 'out')).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

test.each([
  ['no/such/folder', 'ENOENT'],
  ['.', 'EISDIR'],
])('%s cannot be written', async (name, code) => {
  const path = join(newFolder(), name)
  await expect(writeOutput(path, 'x', OUT)).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
    message: `out is ${path} (${code}); allowed: a file that can be written`,
  })
})
