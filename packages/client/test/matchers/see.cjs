/** Nine assertions about an email, with the `expect` of any runner. */
exports.see = async (expect, email) => {
  expect(email).toHaveOtp(/^\d{6}$/);
  expect(email).toHaveMagicLink('app.example.test');
  expect(email).toHaveOneClickUnsubscribe();
  expect({ ...email }).not.toHaveOtp('000000');
  await expect(email).toHaveTextPart();
  await expect(email).toHaveSafeLinks({ except: /unsubscribe/ });
  await expect(email).not.toHaveSafeLinks({ trackers: ['example.test'] });
  await expect(email).toMatchEmailSnapshot({ mask: [/No\. \d+/] });
  await expect(Promise.resolve(email)).resolves.toHaveOtp();
};

/** A negated snapshot matcher must throw. Otherwise, a runner would save the unwanted email as a new snapshot. */
exports.refuse = async (expect, email) => {
  await expect(expect(email).not.toMatchEmailSnapshot()).rejects.toThrow('toMatchEmailSnapshot() has no .not');
};
