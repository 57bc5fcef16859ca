import type { ReactNode } from 'react'

type Fact = readonly [name: string, value: ReactNode, className?: string | undefined]

type Props = {
  /** Names with values, in order; `false` for one that is not known. */
  readonly facts: readonly (Fact | false)[]
  readonly className: string | undefined
}

/** Names and values that are read, not changed. */
export function Facts({ facts, className }: Props) {
  const known = facts.filter((fact) => fact !== false)
  return (
    <dl className={className}>
      {known.map(([name, value, wide]) => (
        <div key={name} className={wide}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
