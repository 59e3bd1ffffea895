import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { recordedData } from '../support/recorded-data.ts'

const FOLDER = recordedData('.')
const listed = readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')

const sha256 = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, file)))
    .digest('hex')

test('every recorded file has the bytes that SHA256SUMS states, and every file but a README is listed', () => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['README.md', 'SHA256SUMS'].includes(entry.name))
    .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
  expect(files.map((file) => `${sha256(file)}  ${file}`).sort()).toEqual([...listed].sort())
})

test('every set has a README, and the README of all sets names it, its commit and its license', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  const sets = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of sets) {
    const commits = readFileSync(join(FOLDER, name, 'README.md'), 'utf8').match(/\b[0-9a-f]{40}\b/g)
    expect(commits, name).toHaveLength(1)
    const rows = readme.split('\n').filter((line) => line.startsWith('|') && line.includes(name))
    expect(rows, name).toHaveLength(3)
    expect(rows.join('\n')).toContain(commits![0])
  }
})
