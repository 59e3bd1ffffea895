/** SHA-256 of docs/methodology/index-1.md, the normative text; test/pipelines/index/methodology.test.ts compares. */
export const METHODOLOGY_TEXT_SHA256 = '0000000000000000000000000000000000000000000000000000000000000000'
