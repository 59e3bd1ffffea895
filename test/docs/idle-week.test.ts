import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TILE_WIDTH } from '../../pipelines/transparency/tiles.ts'
import { ARCHIVE_COMMITS, MERGED_COMMITS } from '../../warehouse/log/log-archive.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import { BUNDLE_CHECKPOINTS, fullBundles } from '../../warehouse/transparency/checkpoint-files.ts'

const GOAL = 5000
const MINUTES = 7 * 24 * 60
const page = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8')
const section = page.slice(page.indexOf('## An idle week'), page.indexOf('## A year of'))
const numberOf = (text: string) => Number(text.replaceAll(',', ''))

/** Commits of each table in a week, from the rates that the page states. */
const commits = [...section.matchAll(/`[a-z_]+` (\d+\.\d+)/g)].map(([, rate]) =>
  Math.round(Number(rate) * MINUTES * 60),
)
const entries = Number(/about (\d+) entries a minute/.exec(section)?.[1]) * MINUTES

/** Tiles of every level and entry bundles of a log, the partial ones too. */
function tileFiles(size: number): number {
  let files = Math.ceil(size / TILE_WIDTH)
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH)) files += Math.ceil(hashes / TILE_WIDTH)
  return files
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
const small = sumOf(commits.map((count) => Math.ceil(count / ARCHIVE_COMMITS)))
const merged = sumOf(commits.map((count) => Math.floor(count / MERGED_COMMITS) + MERGED_COMMITS / ARCHIVE_COMMITS))

test('the files of an idle week are what the page says, and at most the goal', () => {
  const rows = [...section.matchAll(/^\| ([a-z][^|]*) \| ([\d,]+) \| ([\d,]+) \|/gm)]
  const stated = new Map(rows.map(([, name, before, now]) => [name, [numberOf(before!), numberOf(now!)]]))
  const tiles = tileFiles(entries)
  const days = TABLE_NAMES.length * 7
  expect(commits).toHaveLength(5)
  expect(stated.get('checkpoints of the log')).toEqual([MINUTES, fullBundles(MINUTES) + BUNDLE_CHECKPOINTS])
  expect(stated.get('objects of the log archive')).toEqual([small, merged])
  expect(stated.get('tiles and bundles of the log')).toEqual([tiles, tiles])
  expect(stated.get('merged days')).toEqual([days, days])
  const [before, now] = stated.get('sum')!
  const parts = [...stated].filter(([name]) => name !== 'sum').map(([, row]) => row)
  expect(sumOf(parts.map(([one]) => one!))).toBe(before)
  expect(sumOf(parts.map(([, one]) => one!))).toBe(now)
  expect(now).toBeLessThanOrEqual(GOAL)
})
