/** Limits of `services/content` that no operator sets. */
export const solutionContentLimits = {
  /** Contents of one solution; past it 413 `too_large`. */
  solutionContentsMax: 10_000,
  /** Uploads in parts that one solution has begun and not ended; then 429. */
  solutionContentUploadsMax: 100,
  /** The time after which an upload that got no more parts is removed. */
  solutionContentUploadIdleMs: 86_400_000,
}
