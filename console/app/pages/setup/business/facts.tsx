import type { ReactNode } from 'react'
import styles from './business.module.css'

type Props = {
  /** Names with values, in order. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** Names and values that are read, not changed. */
export function Facts({ facts }: Props) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
