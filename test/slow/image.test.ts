import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltImage, buildImage } from '../../tools/image/build-image.ts'
import { runInside } from '../../tools/image/run-inside.ts'
import { freePort } from '../../workflows/server/free-port.ts'
import { commandWords, consoleSteps } from '../support/console-blocks.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Building needs root for its folders and owners, and Debian's mmdebstrap. */
const CAN_BUILD = process.getuid?.() === 0 && spawnSync('mmdebstrap', ['--version']).status === 0
const BUILD_MS = 1_800_000
const folder = tempFolder()
let image: BuiltImage
beforeAll(async () => {
  if (CAN_BUILD) image = await buildImage(folder)
}, BUILD_MS)
afterAll(() => {
  if (CAN_BUILD) execFileSync('rm', ['-rf', folder])
})

test('a machine that cannot build it is named', () => {
  if (!CAN_BUILD) console.warn('the image is not tried: that needs root and mmdebstrap')
  expect(typeof CAN_BUILD).toBe('boolean')
})

/** A registry of images on this machine, by crane. */
describe.runIf(CAN_BUILD)('as an OCI layout', () => {
  let crane = ''
  let registry: ChildProcess
  let name = ''
  beforeAll(async () => {
    crane = execFileSync(process.execPath, [join(ROOT, 'tools/image/ensure-crane.mjs')], { encoding: 'utf8' }).trim()
    const port = await freePort('127.0.0.1')
    registry = spawn(crane, ['registry', 'serve', '--address', `127.0.0.1:${port}`], { stdio: 'ignore' })
    name = `127.0.0.1:${port}/tidemark:test`
    while (
      !(await fetch(`http://127.0.0.1:${port}/v2/`).then(
        () => true,
        () => false,
      ))
    )
      await sleep(50)
  }, BUILD_MS)
  afterAll(async () => {
    registry.kill('SIGKILL')
    await once(registry, 'close')
  })
  const run = (...argv: string[]) => spawnSync(crane, [...argv, '--insecure'], { encoding: 'utf8', maxBuffer: 1 << 26 })

  // A registry does not ask again for a layer that it has, so this is pushed before the whole image.
  test('control: a layer with another byte is refused', () => {
    const damaged = join(folder, 'damaged')
    execFileSync('cp', ['-r', image.layout, damaged])
    const { layers } = manifestOf(damaged)
    appendFileSync(blobOf(damaged, layers[0]!.digest), 'x')
    expect(run('push', damaged, name.replace(':test', ':damaged')).status).not.toBe(0)
  })

  test('crane reads it, and what a registry has of it is valid and has the configuration of the Containerfile', () => {
    expect(run('push', image.layout, name)).toMatchObject({ status: 0 })
    expect(run('validate', '--remote', name)).toMatchObject({ status: 0, stdout: expect.stringContaining('PASS') })
    const { config, os } = JSON.parse(run('config', name).stdout) as { config: object; os: string }
    expect(os).toBe('linux')
    expect(config).toMatchObject({ User: '10001:10001', Entrypoint: ['tidemark'], WorkingDir: '/var/lib/tidemark' })
  })
})

type Described = { readonly digest: string }
const blobOf = (layout: string, digest: string) => join(layout, 'blobs', digest.replace(':', '/'))
function manifestOf(layout: string) {
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: Described[] }
  return JSON.parse(readFileSync(blobOf(layout, manifests[0]!.digest), 'utf8')) as { layers: Described[] }
}

describe.runIf(CAN_BUILD)('inside, as its user, without network and with a root that cannot be written', () => {
  test('its command is healthy within two minutes, and ends by its signal (128 + 15)', () => {
    const { Entrypoint, Cmd, Healthcheck } = image.config
    const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')
    const script = `${quoted([...Entrypoint, ...Cmd])} & up=$!
for second in $(seq 240); do ${quoted(Healthcheck.Test.slice(1))} && break; sleep 0.5; done
${quoted(Healthcheck.Test.slice(1))} && echo healthy; id -u; kill -TERM $up; wait $up; echo ended $?`
    const { stdout, stderr } = runInside(image.rootfs, image.config, script)
    expect([stdout.includes('healthy\n10001\n') && stdout.includes('ended 143'), stdout, stderr]).toEqual([
      true,
      expect.any(String),
      expect.any(String),
    ])
  })

  test("README's commands print what it shows", () => {
    const steps = consoleSteps(readFileSync(join(ROOT, 'README.md'), 'utf8')).filter(({ command }) =>
      command.startsWith('npx'),
    )
    const lines = steps.map(({ command }) => {
      const words = commandWords(command).slice(2)
      return `echo '${MARK}'; tidemark ${words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}`
    })
    const { stdout, stderr } = runInside(image.rootfs, image.config, ['tidemark up --once >&2', ...lines].join('\n'))
    const [, ...printed] = stdout.split(`${MARK}\n`)
    expect([printed.length, printed.length === steps.length ? '' : stderr]).toEqual([steps.length, ''])
    expect(steps.length).toBeGreaterThan(2)
    for (const [n, { output }] of steps.entries()) {
      const [head, tail = ''] = output.split('…\n') as [string, string?]
      expect(printed[n]!.slice(0, head.length)).toBe(head)
      expect(printed[n]!.endsWith(tail)).toBe(true)
    }
  })

  test('nothing of the machine that built it stays in it', () => {
    const layer = blobOf(image.layout, manifestOf(image.layout).layers[0]!.digest)
    const names = execFileSync('tar', ['-tzf', layer], { encoding: 'utf8', maxBuffer: 1 << 28 })
    expect(names).toContain('./opt/tidemark/lib/node_modules/tidemark/cli/tidemark.mjs')
    expect(names).not.toMatch(/^\.\/(npm-cache|tmp\/tidemark\.tgz|root\/\.npm)/m)
    expect(statSync(join(image.rootfs, 'var/lib/tidemark')).uid).toBe(10001)
  })
})

const MARK = '--- next command'
