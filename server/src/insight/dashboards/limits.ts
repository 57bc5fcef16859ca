/** Limits of `dashboards` that no operator sets. */
export const dashboardLimits = {
  /** Dashboards of one business. */
  dashboardsMax: 1_000,
}
