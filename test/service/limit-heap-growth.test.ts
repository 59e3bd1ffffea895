import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const MODULE = new URL('../../service/limit-heap-growth.ts', import.meta.url).href

/** Memory use under this option is measured by `npm run load`, which fails if it grows. */
describe('garbage of a service', () => {
  it('is bounded by an option that this V8 knows', () => {
    const script = `import { limitHeapGrowth } from ${JSON.stringify(MODULE)}\nlimitHeapGrowth()`
    const argv = ['--import', 'tsx', '--input-type=module', '-e', script]
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
