/** SHA-256 of docs/methodology/rating-1.md, the normative text; test/pipelines/rating/methodology.test.ts compares. */
export const RATING_TEXT_SHA256 = 'c3a186a753b57f7c8a787cdc4c57d0ada9122a0dc5cf8dee99a6101696040feb'
