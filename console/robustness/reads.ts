import type { ExecutableBand, IndexPreview, LevelRobustness } from '../../protocol/resources/robustness.ts'
import { type Api, getAll } from '../data/api-client.ts'

/** Level that is asked about, and what is asked of it. */
export type RobustnessWish = {
  readonly index_id: string
  readonly observation_id: string
  readonly basis_points: string
  readonly notional: string
}

/** Reads the missing-input bound and the manipulation cost of a level. */
export async function getRobustness(api: Api, wish: RobustnessWish, signal: AbortSignal): Promise<LevelRobustness> {
  const { index_id, observation_id, basis_points } = wish
  return (await api.get<LevelRobustness>(`/indexes/${index_id}/robustness`, { observation_id, basis_points }, signal))
    .data
}

/** Reads the levels at which a notional could be traded. */
export async function getBand(api: Api, wish: RobustnessWish, signal: AbortSignal): Promise<ExecutableBand> {
  const { index_id, observation_id, notional } = wish
  return (await api.get<ExecutableBand>(`/indexes/${index_id}/executable-band`, { observation_id, notional }, signal))
    .data
}

/** Reads the indexes that read a market, each under every outcome of it. */
export function listPreviews(api: Api, market_id: string, signal: AbortSignal): Promise<readonly IndexPreview[]> {
  return getAll(api, `/markets/${market_id}/index-previews`, {}, signal)
}
