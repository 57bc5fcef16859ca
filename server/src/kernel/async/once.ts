/**
 * Work that is under way is waited for, not begun again: a client that opens with thirty requests
 * at once costs one run.
 */
export function createOnce<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const fresh = work().finally(() => underWay.delete(name))
    underWay.set(name, fresh)
    return fresh
  }
}
