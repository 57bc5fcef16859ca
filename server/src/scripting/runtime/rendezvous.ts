/** Every place draws a number for the solution; the highest has it. */
export function rendezvous(solutionId: string, places: number): number {
  let best = 0
  let highest = -1
  for (let place = 0; place < places; place += 1) {
    const drawn = hash(`${place}/${solutionId}`)
    if (drawn > highest) {
      highest = drawn
      best = place
    }
  }
  return best
}

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193
const mixer = 0x85ebca6b

function hash(text: string): number {
  let mixed = fnvOffset
  for (let at = 0; at < text.length; at += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at), fnvPrime)
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), mixer)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
