import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { commandWords, consoleSteps } from '../support/console-blocks.ts'
import { copySample } from '../support/run/run-sample.ts'
import { tidemark } from '../support/run-cli.ts'
import { sized } from '../support/sized.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** README and the first pages are true: their commands run, in order and in one home, and print what is shown. */
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const PAGES = ['README.md', 'docs/governance-story.md', 'docs/start/quant.md', 'docs/start/index-committee.md']
/** In the fast lane without the audit, which reads everything again; test/operations/audit and the tests of imports run it. */
const steps = PAGES.flatMap((page) =>
  consoleSteps(readFileSync(join(ROOT, page), 'utf8')).map((step) => ({ page, ...step })),
).filter(({ command }) => sized(!command.includes(' audit'), true))
/** Half a minute of work, on a machine that may have more to do. */
const UP_TIMEOUT_MS = 400_000
/** The audit reads everything again: 20 s, and three times as long on a busy machine. */
const STEP_TIMEOUT_MS = 200_000
const environment = { TIDEMARK_HOME: tempFolder() }
/** Folder of the files that the pages write. */
const scratch = tempFolder()
symlinkSync(join(ROOT, 'datasets'), join(scratch, 'datasets'))
const WRITTEN = /^draft\.yaml$/
/**
 * Answers of a command that was pasted a second time; none: of the story, whose acts are done. In the fast lane only README's, and the
 * one command whose second answer is another.
 */
function again(page: string, command: string, output: string): readonly string[] {
  if (page === 'docs/governance-story.md' || command.includes(' audit')) return []
  if (!sized(page === 'README.md' || command.includes(' index correct '), true)) return []
  return [command.includes(' index correct ') ? '…\n0 of 2 ticks revised\n' : output]
}

test('the two commands are an install and a script of package.json', () => {
  const [block] = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  expect(block![1]).toBe('npm install\nnpm start\n')
  expect(packageJson.scripts.start).toBe('node cli/tidemark.mjs up')
})

test('README is short enough to read', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151)
})

describe('the tour', () => {
  beforeAll(async () => {
    expect((await copySample(environment.TIDEMARK_HOME)).up.exit_code).toBe(0)
  }, UP_TIMEOUT_MS)

  test.each(steps)(
    '$page: $command',
    async ({ page, command, output }) => {
      if (command.startsWith('sed ')) return expect(shell(command)).toBe(output)
      const words = commandWords(command).map((word) => (WRITTEN.test(word) ? join(scratch, word) : word))
      expect(words.slice(0, 2)).toEqual(['npx', 'tidemark'])
      const answered_no = /^[1-9]\d* of \d+ ticks differ$/m.test(output)
      // Each can be pasted twice: the second answer of most is the first one.
      for (const shown of [output, ...again(page, command, output)]) {
        const { stdout, stderr, exit_code } = await tidemark(words.slice(2), { environment })
        expect({ stderr, exit_code }).toEqual({ stderr: '', exit_code: answered_no ? 1 : 0 })
        expectShown(stdout, shown)
      }
    },
    STEP_TIMEOUT_MS,
  )
})

/** Runs an edit of a page in a folder that has the datasets of the checkout. */
function shell(command: string): string {
  return execFileSync('sh', ['-c', command], { cwd: scratch, encoding: 'utf8' })
}

/** Expects the printed text to be the shown one; a line `…` matches any lines. */
function expectShown(printed: string, shown: string): void {
  const [head, tail] = shown.split('…\n') as [string, string?]
  expect(printed.slice(0, head.length)).toBe(head)
  expect(printed.slice(tail === undefined ? head.length : -tail.length)).toBe(tail ?? '')
}
