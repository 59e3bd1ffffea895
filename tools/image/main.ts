import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildImage } from './build-image.ts'

/** Builds the image of deploy/container as an OCI layout in a folder. */
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('usage: npm run image -- FOLDER (a new one)\n')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const { layout, rootfs } = await buildImage(resolve(folder))
process.stdout.write(`${layout}, made of ${rootfs}\n`)
