import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LONGEST, LongestFirst } from './run/longest-first.ts'
import { ROOT } from './source-files.ts'

/** Vitest that has run none of the files before. */
const NEW = {
  config: { root: ROOT },
  cache: { getFileTestResults: () => undefined, getFileStats: () => undefined },
} as unknown as Vitest

const specification = (name: string, path: string) =>
  ({
    project: { name, config: { sequence: { groupOrder: 0 }, isolate: name === 'alone' } },
    moduleId: join(ROOT, path),
  }) as unknown as TestSpecification

test('files of one project follow each other, so that they share processes; in each the longest start first', async () => {
  const [first, second] = LONGEST
  const files = [
    specification('sharing', 'test/short.test.ts'),
    specification('alone', 'test/alone.test.ts'),
    specification('sharing', second!),
    specification('alone', 'test/other.test.ts'),
    specification('sharing', first!),
  ]
  const sorted = await new LongestFirst(NEW).sort(files)
  expect(sorted.map(({ project }) => project.name)).toEqual(['alone', 'alone', 'sharing', 'sharing', 'sharing'])
  expect(sorted.slice(2).map(({ moduleId }) => moduleId)).toEqual(
    [first!, second!, 'test/short.test.ts'].map((path) => join(ROOT, path)),
  )
})
