import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { startService } from '../support/service-process.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The sample week over HTTP, recomputed by the Python package, and the examples of its page and README. */
const INDEXES = ['harvest', 'lowport', 'regatta', 'summit', 'tunnel'].map((name) => `idx_sample_${name}`)

const python = pythonInterpreter('package.txt', 'the Python package')

test('every level of the sample week is reproduced from a service; the examples of the documents run', async () => {
  const home = tempFolder()
  const service = await startService(home, ['--sandbox-accounts', '2'], { has_sample: true })
  const { base_url } = service.ready
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'python/src') }
  Object.assign(env, { TIDEMARK_URL: base_url, TIDEMARK_READY: service.ready_file })
  const run = (args: readonly string[]) => spawnSync(python, args, { cwd: home, encoding: 'utf8', env })
  /** Whether each index has a level and the proof of one: the sample is loaded, and then logged, after the service listens. */
  const isLoaded = async () => {
    const answers = await Promise.all(INDEXES.map((id) => fetch(`${base_url}/v1/indexes/${id}/price`)))
    if (!answers.every(({ ok }) => ok)) return false
    const { data } = (await answers[0]!.json()) as { data: { index_id: string; observation_id: string } }
    return (await fetch(`${base_url}/v1/indexes/${data.index_id}/prices/${data.observation_id}/proof`)).ok
  }
  try {
    await expect.poll(isLoaded, { timeout: 600_000, interval: 2_000 }).toBe(true)
    // Before the verification, which uses up the tokens of this address.
    for (const page of ['python/README.md', 'docs/python.md']) {
      const text = readFileSync(join(ROOT, page), 'utf8')
      const examples = [...text.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
      expect(examples.length).toBeGreaterThan(1)
      const example = run(['-c', examples.join('\n')])
      expect(example.stderr).toBe('')
      expect(example.status).toBe(0)
    }
    const named = INDEXES.flatMap((index_id) => ['--index', index_id])
    const { status, stdout, stderr } = run(['-m', 'tidemark.verify', '--base-url', base_url, ...named])
    expect(stderr).toBe('')
    const [, checked] = /(\d+) of \1 levels reproduced\n$/.exec(stdout)!
    expect(Number(checked)).toBe(673)
    expect(status).toBe(0)
  } finally {
    await service.stop('SIGTERM')
  }
}, 900_000)
