import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Returns the completions offered for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const { exit_code, stdout, stderr } = await tidemark(['__complete', ...words])
  expect({ exit_code, stderr }).toEqual({ exit_code: 0, stderr: '' })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('what is offered', () => {
  test('commands', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['up', 'import', 'sql', 'tables', 'tail', 'index', 'audit']),
    )
    expect(await offered('ta')).toEqual(['tables', 'tail'])
    expect(await offered('index', 're')).toEqual(['replay', 'rebalance'])
  })

  test('options of the command and of every command, each once', async () => {
    expect(await offered('sql', '--')).toEqual([
      '--as-of',
      '--format',
      '--out',
      '--time-limit',
      '--memory-limit',
      '--help',
      '--version',
      '--home',
      '--warehouse',
      '--json',
    ])
    expect(await offered('sql', '--json', '--j')).toEqual([])
    expect(await offered('index', 'replay', 'x.yaml', '--fr')).toEqual(['--from'])
  })

  test('choices of an option and of an argument', async () => {
    expect(await offered('sql', '--format', '')).toEqual([
      'table',
      'json',
      'ndjson',
      'csv',
      'csv-exact',
      'arrow',
      'parquet',
    ])
    expect(await offered('import', '')).toContain('forecastbench')
    expect(await offered('import', 'forecastbench', '')).toEqual([])
    expect(await offered('--warehouse', '/w', 'import', 'x', '--clock', 'r')).toEqual(['recorded'])
  })

  test('nothing, without an error, where the warehouse is absent', async () => {
    expect(await offered('index', 'show', '--warehouse', '/nonexistent', '')).toEqual([])
  })
})

describe('bash', () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'bin'))
  chmodSync(BIN, 0o755)
  symlinkSync(BIN, join(folder, 'bin', 'tidemark'))

  /** Returns the completions that bash itself offers after sourcing the script. */
  function complete(words: readonly string[]): string[] {
    const script = join(folder, 'complete.bash')
    writeFileSync(
      script,
      `source <(tidemark completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_tidemark
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p tidemark
`,
    )
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const text = execFileSync('bash', [script], { encoding: 'utf8', env: { ...process.env, PATH } })
    return text.trim().split('\n')
  }

  test('completes a command and registers itself', () => {
    expect(complete(['tidemark', 'index', 'ver'])).toEqual(['verify', 'complete -o default -F _tidemark tidemark'])
  })

  test('completes the word under the cursor only', () => {
    expect(complete(['tidemark', 'sql', '--format', 'nd'])[0]).toBe('ndjson')
  })
})

test.each(['zsh', 'fish'])('%s: the script calls back with the words typed so far', async (shell) => {
  const { exit_code, stdout } = await tidemark(['completion', shell])
  expect(exit_code).toBe(0)
  expect(stdout).toContain('__complete')
})
