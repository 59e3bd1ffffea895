import type { SampleGovernance } from '../../../operations/sample/publish-sample.ts'
import { performRecordedSteps } from '../../../operations/sample/recorded-steps.ts'
import { type Committee, openCommittee } from '../open-committee.ts'
import { storyAfterLevels, storyNotices } from './story-after-levels.ts'
import { storyBeforeLevels } from './story-before-levels.ts'

/**
 * Returns the governance of the sample week: acts of the invented members of a home, under the recorded clock.
 * A home with a roster of its own has none.
 */
export function sampleGovernance(home: string, signal?: AbortSignal): SampleGovernance {
  let opened: Promise<Committee | null> | null = null
  const committee = () => {
    opened ??= openCommittee(home)
    return opened
  }
  return {
    async before_levels(warehouse) {
      const members = await committee()
      if (members !== null) await performRecordedSteps(warehouse, storyBeforeLevels(members), signal)
    },
    async after_levels(warehouse) {
      const members = await committee()
      if (members === null) return
      await performRecordedSteps(warehouse, storyNotices(), signal)
      await performRecordedSteps(warehouse, storyAfterLevels(members), signal)
    },
  }
}
