type Present<Part> = { [Key in keyof Part]: Exclude<Part[Key], undefined> }

/** Returns a copy of an object without the fields that are undefined. */
export function omitUndefined<Part extends object>(part: Part): Present<Part> {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined),
  ) as Present<Part>
}
