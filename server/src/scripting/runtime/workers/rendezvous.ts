import { fnv1a } from '../../../kernel/index.ts'

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

const mixer = 0x85ebca6b

function hash(text: string): number {
  const hashed = fnv1a(text)
  const mixed = Math.imul(hashed ^ (hashed >>> 16), mixer)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
