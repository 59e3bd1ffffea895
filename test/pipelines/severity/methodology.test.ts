import { test } from 'vitest'
import { SEVERITY_METHODOLOGY_DOCUMENT } from '../../../operations/severity/severity-methodology.ts'
import { expectCoded } from '../../support/assessment-methodology.ts'

test('the normative text is the one that is coded, with every parameter and its value', () => {
  expectCoded(SEVERITY_METHODOLOGY_DOCUMENT)
})
