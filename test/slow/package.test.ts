import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { npmPack } from '../support/npm-pack.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('the npm package, unpacked elsewhere beside its dependencies, runs the command', () => {
  const folder = tempFolder()
  const { filename } = npmPack('--pack-destination', folder)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  const root = join(folder, 'package')
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const help = execFileSync(process.execPath, [join(root, 'cli/tidemark.mjs'), '--help'], { encoding: 'utf8' })
  expect(help).toMatch(/^Usage: tidemark /)
})
