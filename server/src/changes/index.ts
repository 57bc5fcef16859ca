export { announced } from './announced.ts'
export { type Changes, createChanges } from './changes.ts'
export { type ChangeTopic, changeTopics } from './topics.ts'
