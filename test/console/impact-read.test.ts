import { expect, test } from 'vitest'
import type { Api } from '../../console/data/api-client.ts'
import { getImpact } from '../../console/governance/reads.ts'

/** Reads the impact of chg_a from an API with these acts on it. @returns the answer, and the paths that were read */
async function readWith(acts: readonly object[]) {
  const paths: string[] = []
  const get = async (path: string) => {
    paths.push(path)
    return { data: path === '/governance/acts' ? acts : { change_id: 'chg_a' }, meta: {}, page: { next_cursor: null } }
  }
  const api = { as_of: null, get } as unknown as Api
  return { impact: await getImpact(api, 'chg_a', new AbortController().signal), paths }
}

test('an impact is read only where a runner has signed one, so that the browser logs nothing missing', async () => {
  const attest = { act: 'attest', outcome: 'recorded' }
  for (const acts of [[], [{ ...attest, outcome: 'refused' }]])
    expect(await readWith(acts)).toEqual({ impact: null, paths: ['/governance/acts'] })
  expect(await readWith([attest])).toEqual({
    impact: { change_id: 'chg_a' },
    paths: ['/governance/acts', '/governance/impacts/chg_a'],
  })
})
