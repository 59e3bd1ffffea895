import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ImageConfig } from './containerfile.ts'

const MEDIA = 'application/vnd.oci.image'
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number }

/** Writes an image of one layer as an OCI layout. @param rootfs the files of the image, with their owners */
export async function writeLayout(folder: string, rootfs: string, config: ImageConfig, name: string): Promise<void> {
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true })
  const { layer, diff_id } = await writeLayer(blobs, rootfs)
  const architecture = ARCHITECTURES[process.arch]!
  const history = [{ created_by: 'deploy/container/Containerfile' }]
  const rootfs_of = { type: 'layers', diff_ids: [diff_id] }
  const image = { architecture, os: 'linux', config, rootfs: rootfs_of, history }
  const described = writeBlob(blobs, `${MEDIA}.config.v1+json`, image)
  const manifest_type = `${MEDIA}.manifest.v1+json`
  const manifest = { schemaVersion: 2, mediaType: manifest_type, config: described, layers: [layer] }
  const annotations = { 'org.opencontainers.image.ref.name': name }
  const index = { schemaVersion: 2, manifests: [{ ...writeBlob(blobs, manifest_type, manifest), annotations }] }
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
}

/** Writes the layer: a tar whose SHA-256 is its diff id, compressed as a blob that its own SHA-256 names. */
async function writeLayer(blobs: string, rootfs: string): Promise<{ layer: Descriptor; diff_id: string }> {
  const tar = spawn('tar', ['--numeric-owner', '--sort=name', '-C', rootfs, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(tar, 'close')
  const [plain, packed] = [hashing(), hashing()]
  const unnamed = join(blobs, 'layer')
  await pipeline(tar.stdout, plain.stream, createGzip({ level: 1 }), packed.stream, createWriteStream(unnamed))
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  const sha256 = packed.digest()
  renameSync(unnamed, join(blobs, sha256))
  const { size } = statSync(join(blobs, sha256))
  const layer = { mediaType: `${MEDIA}.layer.v1.tar+gzip`, digest: `sha256:${sha256}`, size }
  return { layer, diff_id: `sha256:${plain.digest()}` }
}

function hashing() {
  const hash = createHash('sha256')
  const stream = new PassThrough()
  stream.on('data', (bytes: Buffer) => hash.update(bytes))
  return { stream, digest: () => hash.digest('hex') }
}

function writeBlob(blobs: string, mediaType: string, content: object): Descriptor {
  const bytes = Buffer.from(JSON.stringify(content))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(blobs, sha256), bytes)
  return { mediaType, digest: `sha256:${sha256}`, size: bytes.length }
}
