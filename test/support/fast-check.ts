import fc from 'fast-check'
import { SEED } from './seed.ts'

/** Every property of a run takes its cases from SEED: a failure is there again on the next run, and TIDEMARK_SEED moves on. */
fc.configureGlobal({ seed: SEED })
