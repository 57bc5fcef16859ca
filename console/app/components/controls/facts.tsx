import type { ReactNode } from 'react'
import styles from './facts.module.css'

type Fact = readonly [name: string, value: ReactNode, isWide?: boolean]

type Props = {
  /** Names with values, in order; `false` for one that is not known. */
  readonly facts: readonly (Fact | false)[]
  /** A value beside its name, line by line; left out: below it, in cells. */
  readonly layout?: 'lines' | 'cells'
}

/** Names and values that are read, not changed. */
export function Facts({ facts, layout = 'cells' }: Props) {
  const known = facts.filter((fact) => fact !== false)
  return (
    <dl className={styles[layout]}>
      {known.map(([name, value, isWide]) => (
        <div key={name} className={isWide ? styles.wide : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
