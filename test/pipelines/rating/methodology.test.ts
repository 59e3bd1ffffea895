import { test } from 'vitest'
import { RATING_METHODOLOGY_DOCUMENT } from '../../../operations/rating/rating-methodology.ts'
import { expectCoded } from '../../support/assessment-methodology.ts'

test('the normative text is the one that is coded, with every parameter and its value', () => {
  expectCoded(RATING_METHODOLOGY_DOCUMENT)
})
