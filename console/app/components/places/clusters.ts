/** A marker on a map, in its pixels. */
export type Marker = {
  readonly id: string
  readonly name: string
  /** That of its status. */
  readonly level: string
  readonly x: number
  readonly y: number
}

/** Markers that would lie over one another, drawn as one at the place of the first. */
export type Cluster = { readonly x: number; readonly y: number; readonly all: readonly Marker[] }

/** Groups markers that are nearer to the first one of their group than `reach` pixels. */
export function clusterMarkers(markers: readonly Marker[], reach: number): readonly Cluster[] {
  const clusters: { x: number; y: number; all: Marker[] }[] = []
  for (const marker of markers) {
    const { x, y } = marker
    const near = clusters.find((one) => Math.hypot(one.x - x, one.y - y) < reach)
    if (near === undefined) clusters.push({ x, y, all: [marker] })
    else near.all.push(marker)
  }
  return clusters
}
