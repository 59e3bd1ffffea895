/** SHA-256 of docs/methodology/index-1.md, the normative text; test/pipelines/index/methodology.test.ts compares them. */
export const METHODOLOGY_TEXT_SHA256 = '2a9cf2b25fb21473c36b6e7074a9da74b47481867275f9636eb682158bb6fb53'

/** SHA-256 of docs/methodology/index-2.md, the text of methodologies that write settle_from or pool.finality. */
export const SECOND_METHODOLOGY_TEXT_SHA256 = '601b52ee21817db6e26724d25c26e18848fec11457bd87289a0a6f08e84a7979'
