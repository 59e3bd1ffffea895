import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const SCRIPT = join(ROOT, 'test/python/golden.py')
const GOLDEN = join(ROOT, 'datasets/golden/methodology-examples.json')
const folder = tempFolder()

function run(file: string) {
  const child = spawnSync('python3', [SCRIPT, file], { encoding: 'utf8' })
  if (child.error) throw child.error
  return child
}

test('a second implementation in Python gives every string of the golden file', () => {
  const { status, stdout, stderr } = run(GOLDEN)
  expect(`${stderr}${stdout}`.trim()).toMatch(/^(\d+) of \1 checks agree$/)
  expect(status).toBe(0)
})

test.each([
  ['2376.717716488464', '2376.717716488465', 'E4 K'],
  ['"0.8372",\n        "coverage_ratio"', '"0.8371",\n        "coverage_ratio"', 'E16 confidence'],
  ['"0.612045"', '"0.612046"', 'E7 without it'],
])('it notices one changed digit: %s', (right, wrong, name) => {
  const text = readFileSync(GOLDEN, 'utf8')
  expect(text.split(right).length).toBe(2)
  const file = join(folder, 'changed.json')
  writeFileSync(file, text.replace(right, wrong))
  const { status, stdout } = run(file)
  expect(stdout).toContain(`${name}: got`)
  expect(status).toBe(1)
})
