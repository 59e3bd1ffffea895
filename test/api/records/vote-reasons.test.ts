import { expect, test } from 'vitest'
import { votesWithReasons } from '../../../api/resources/governance.ts'

test('a vote has the reason of its own act: of a person who voted twice, of the last', () => {
  const vote = (actor_id: string, acted_at: string) => ({ actor_id, choice: 'dissent', public_key: actor_id, acted_at })
  const act = (of: ReturnType<typeof vote>, reason: string | null, subject_id = 'prp_a') => {
    const signed_text = JSON.stringify({ details: { choice: of.choice, reason } })
    return { ...of, act: 'vote', subject_id, signed_text }
  }
  const [early, ann, ben] = [
    vote('ann', '2026-01-01T00:00:00Z'),
    vote('ann', '2026-01-02T00:00:00Z'),
    vote('ben', '2026-01-02T00:00:00Z'),
  ]
  const acts = [act(early, 'too soon'), act(ann, 'too late'), act(ben, null), act(ben, 'of another', 'prp_b')]
  expect(votesWithReasons({ proposal_id: 'prp_a', votes: [ann, ben] }, acts)).toEqual([
    { ...ann, reason: 'too late' },
    { ...ben, reason: null },
  ])
})
