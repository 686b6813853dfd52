/** Whether something keeps working after a change. */
export type Survival = 'breaks' | 'keeps';
