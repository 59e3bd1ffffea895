import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configOf, type ImageConfig, parseContainerfile, textsOf } from './containerfile.ts'
import { writeLayout } from './oci-layout.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SUITE = 'bookworm'
/** Variables by which npm finds its registry and its cache; the image keeps none of them. */
const OF_NPM = /^(npm_config_.*|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i
const CACHE = '/npm-cache'

export type BuiltImage = { readonly rootfs: string; readonly layout: string; readonly config: ImageConfig }

/**
 * Builds the image of the Containerfile without a registry of images: its base is Debian by mmdebstrap with the Node that runs this,
 * and its steps run in that folder. Needs root, mmdebstrap and network.
 */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const instructions = parseContainerfile(readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8'))
  const rootfs = join(folder, 'rootfs')
  makeBase(rootfs)
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
  ) as { filename: string }[]
  for (const copied of textsOf(instructions, 'COPY')) {
    const [, to] = copied.split(' ') as [string, string]
    cpSync(join(folder, packed!.filename), join(rootfs, to))
  }
  for (const step of textsOf(instructions, 'RUN')) runStep(rootfs, step)
  const config = configOf(instructions)
  const layout = join(folder, 'layout')
  await writeLayout(layout, rootfs, config, 'tidemark')
  return { rootfs, layout, config }
}

/** Makes the base: Debian with certificates, and this Node with its npm. */
function makeBase(rootfs: string): void {
  const flags = ['--mode=root', '--variant=minbase', '--include=ca-certificates', '--format=directory']
  run('mmdebstrap', [...flags, SUITE, rootfs, 'http://deb.debian.org/debian'], ROOT)
  const local = join(rootfs, 'usr/local')
  cpSync(process.execPath, join(local, 'bin/node'))
  const npm = join(dirname(process.execPath), '../lib/node_modules/npm')
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
}

/** Runs a step with the network, certificates and npm cache of this machine. None of them stays in the image. */
function runStep(rootfs: string, step: string): void {
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? ''
  const variables = Object.entries(process.env).filter(([name]) => OF_NPM.test(name))
  const given = [...variables, ['npm_config_cache', CACHE], ['HOME', '/root']].map(
    ([name, value]) => `${name}=${value}`,
  )
  const cache = run('npm', ['config', 'get', 'cache'], ROOT).trim()
  mkdirSync(cache, { recursive: true })
  const script = [
    'set -e',
    'mount -t proc proc "$1/proc"',
    'mount --rbind /dev "$1/dev"',
    'touch "$1/etc/resolv.conf" && mount --bind /etc/resolv.conf "$1/etc/resolv.conf"',
    'mkdir -p "$1$3" && mount --bind "$2" "$1$3"',
    'if [ -n "$4" ]; then mkdir -p "$(dirname "$1$4")" && touch "$1$4" && mount --bind "$4" "$1$4"; fi',
    'root="$1"; step="$5"; shift 5',
    'exec chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@" sh -c "$step"',
  ].join('\n')
  const namespace = ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh']
  run('unshare', [...namespace, rootfs, cache, CACHE, certificates, step, ...given], ROOT)
  run('rmdir', [join(rootfs, CACHE)], ROOT)
}

function run(program: string, argv: readonly string[], cwd: string): string {
  return execFileSync(program, argv, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
