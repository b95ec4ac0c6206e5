describe('signing up', () => {
  it('takes the code of the email', () => {
    cy.createInbox().then((inbox) => {
      cy.visit('/');
      cy.get('input[name=email]').type(inbox.address);
      cy.contains('button', 'Sign up').click();
      cy.waitForOtp(inbox).then((code) => {
        cy.get('input[name=code]').type(code);
      });
      cy.contains('button', 'Confirm').click();
      cy.contains(`Welcome, ${inbox.address}`);
    });
  });

  it('takes the link of the email', () => {
    cy.createInbox({ prefix: 'link' }).then((inbox) => {
      cy.visit('/');
      cy.get('input[name=email]').type(inbox.address);
      cy.contains('button', 'Sign up').click();
      cy.waitForMagicLink(inbox, { subject: /confirm/i, timeout: 10_000 }).then((link) => {
        cy.visit(link);
      });
      cy.contains(`Welcome, ${inbox.address}`);
    });
  });
});
