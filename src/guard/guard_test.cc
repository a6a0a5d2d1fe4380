#include <gtest/gtest.h>

#include <map>
#include <string>

#include "guard/checked_numbers.h"
#include "guard/hipaa.h"
#include "guard/identity.h"
#include "guard/name_parts.h"
#include "guard/value_shapes.h"
#include "testing/tables.h"

namespace tada {
namespace {

/// A column with this name and these values, each as often as said.
Table OneColumn(const std::string& name, const std::vector<std::string>& values, int times = 1) {
  ColumnBuilder builder(name, {});
  for (int i = 0; i < times; ++i) {
    for (const std::string& value : values) builder.AppendText(value);
  }
  std::vector<Column> columns;
  columns.push_back(std::move(builder.Finish()).value());
  return Table(std::move(columns));
}

char ClassOf(const Table& table) {
  const auto finding = FindIdentity(table.column(0));
  return finding && finding->confidence >= 0.5 ? IdentityLetter(finding->identity) : '-';
}

std::vector<std::string> Numbered(const std::string& before, int from, int count, const std::string& after = "") {
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(fmt::format("{}{}{}", before, from + i, after));
  return values;
}

TEST(NameParts, CutsAndFoldsAccents) {
  EXPECT_EQ(NameParts("birthDate"), (std::vector<std::string>{"birth", "date"}));
  EXPECT_EQ(NameParts("Prénom du_Père"), (std::vector<std::string>{"prenom", "du", "pere"}));
  EXPECT_EQ(NameParts("STRASSE-Größe"), (std::vector<std::string>{"strasse", "grosse"}));
  EXPECT_EQ(NameParts(""), std::vector<std::string>{""});
  EXPECT_EQ(NameParts("a_"), std::vector<std::string>{"a"});
}

TEST(CheckedNumbers, KnowsValidOnesAndRefusesOthers) {
  EXPECT_TRUE(IsIban("DE89 3704 0044 0532 0130 00"));
  EXPECT_TRUE(IsIban("GB82WEST12345698765432"));
  EXPECT_FALSE(IsIban("DE88 3704 0044 0532 0130 00"));
  EXPECT_TRUE(IsPaymentCard("4111 1111 1111 1111"));
  EXPECT_TRUE(IsPaymentCard("5500000000000004"));
  EXPECT_FALSE(IsPaymentCard("4111 1111 1111 1112"));
  EXPECT_TRUE(IsUsSsn("078-05-1120"));
  EXPECT_FALSE(IsUsSsn("666-05-1120"));
  EXPECT_FALSE(IsUsSsn("078051120"));
  EXPECT_TRUE(IsVin("1M8GDM9AXKP042788"));
  EXPECT_FALSE(IsVin("1M8GDM9A1KP042788"));
  EXPECT_TRUE(IsLoinc("2160-0"));
  EXPECT_FALSE(IsLoinc("2160-1"));
}

TEST(CheckedNumbers, KnowsNationalNumbers) {
  const std::map<std::string, std::string> known = {{"12345678Z", "Spanish DNI or NIE"},
                                                    {"RSSMRA85T10A562S", "Italian codice fiscale"},
                                                    {"529.982.247-25", "Brazilian CPF"},
                                                    {"44051401359", "Polish PESEL"},
                                                    {"131052-308T", "Finnish personal identity code"},
                                                    {"756.9217.0769.85", "Swiss social security number"},
                                                    {"943 476 5919", "British NHS number"},
                                                    {"111222333", "Dutch BSN"},
                                                    {"85.07.30-033.28", "Belgian national number"},
                                                    {"811218-9876", "Swedish personal identity number"},
                                                    {"1 85 12 75 108 111 10", "French social security number"}};
  for (const auto& [number, name] : known) EXPECT_EQ(NationalNumber(number), name) << number;
  for (const char* other : {"12345678A", "1234567", "hello", "2024-01-31", "", "99999999999"}) {
    EXPECT_EQ(NationalNumber(other), "") << other;
  }
}

TEST(ValueShapes, TellsValuesApart) {
  EXPECT_TRUE(IsEmail("ada@example.org"));
  EXPECT_FALSE(IsEmail("ada at example.org"));
  EXPECT_FALSE(IsEmail("@handle"));
  EXPECT_TRUE(IsUrl("https://example.org/a"));
  EXPECT_TRUE(IsNetworkAddress("192.168.0.1"));
  EXPECT_TRUE(IsNetworkAddress("2001:db8::ff00:42:8329"));
  EXPECT_TRUE(IsNetworkAddress("00:1a:2b:3c:4d:5e"));
  EXPECT_FALSE(IsNetworkAddress("1.2.3"));
  EXPECT_FALSE(IsNetworkAddress("12:30"));
  for (const char* phone :
       {"+49 30 123456", "(030) 1234567", "555-123-4567", "020 7946 0958", "0621/1234567", "555-1234"}) {
    EXPECT_TRUE(IsPhone(phone)) << phone;
  }
  for (const char* other :
       {"2020-01-02", "31.12.1942", "1.234.567", "10000-20000", "1990-1995", "20-30", "1234567", "12.5"}) {
    EXPECT_FALSE(IsPhone(other)) << other;
  }
  for (const char* date : {"2020-01-02", "31/12/1942", "12/31/42", "31.12.1942", "1942/12/31 10:30", "3 Mar 1971"}) {
    EXPECT_TRUE(IsDateLike(date)) << date;
  }
  EXPECT_FALSE(IsDateLike("1-2"));
  EXPECT_TRUE(IsIcd10("E11.65"));
  EXPECT_TRUE(IsIcd10("C50"));
  EXPECT_FALSE(IsIcd10("E1"));
  EXPECT_TRUE(IsAtc("A10BA02"));
  EXPECT_FALSE(IsAtc("A10BA0"));
  EXPECT_TRUE(IsCapitalized("Smith, Dr. John"));
  EXPECT_TRUE(IsCapitalized("Ludwig van Beethoven"));
  EXPECT_FALSE(IsCapitalized("adm clerical"));
  EXPECT_FALSE(IsCapitalized("Room 12"));
}

TEST(FindIdentity, FindsValuesWhateverTheColumnIsCalled) {
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("u", 1, 8, "@example.org"))), 'F');
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("10.0.0.", 1, 8))), 'O');
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("https://example.org/", 1, 8))), 'N');
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("+49 30 12345", 10, 8))), 'D');
  EXPECT_EQ(ClassOf(OneColumn("x", {"4111111111111111", "5500000000000004", "340000000000009", "30000000000004",
                                    "6011000000000004", "4012888888881881"})),
            'J');
  EXPECT_EQ(ClassOf(OneColumn("x", {"Ada Lovelace",   "Alan Turing",        "Grace Hopper", "Emmy Noether",
                                    "Kurt Goedel",    "Sofia Kovalevskaya", "Paul Erdos",   "Karl Weierstrass",
                                    "David Hilbert",  "Felix Klein",        "Carl Gauss",   "Leonhard Euler",
                                    "Henri Poincare", "Maryam Mirzakhani",  "Terence Tao",  "John Conway",
                                    "Emil Artin",     "Hermann Weyl",       "Niels Abel",   "Evariste Galois"})),
            'A');
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("the patient came in with a cough on day ", 1, 25))), 'R');
  EXPECT_EQ(ClassOf(OneColumn("x", Numbered("k", 100, 25))), 'R') << "nearly every row has its own";
}

TEST(FindIdentity, FindsNamesOfSeveralLanguages) {
  for (const auto& [name, letter] : std::initializer_list<std::pair<const char*, char>>{{"patient_id", 'R'},
                                                                                        {"Nachname", 'A'},
                                                                                        {"prénom", 'A'},
                                                                                        {"telefono", 'D'},
                                                                                        {"Handynummer", 'D'},
                                                                                        {"MRN", 'H'},
                                                                                        {"street", 'B'},
                                                                                        {"PLZ", 'B'},
                                                                                        {"Kontonummer", 'J'},
                                                                                        {"last name", 'A'},
                                                                                        {"客户姓名", 'A'},
                                                                                        {"姓名", 'A'}}) {
    EXPECT_EQ(ClassOf(OneColumn(name, Numbered("v", 10, 30), 3)), letter) << name;
  }
}

TEST(FindIdentity, LeavesOrdinaryColumnsAlone) {
  EXPECT_EQ(ClassOf(OneColumn("balance", Numbered("", 1000, 50))), '-')
      << "numbers are not identifying for being different";
  EXPECT_EQ(ClassOf(OneColumn("telephone", {"yes", "no"}, 20)), '-');
  EXPECT_EQ(ClassOf(OneColumn("address", {"U", "R"}, 20)), '-');
  EXPECT_EQ(ClassOf(OneColumn("account_length", Numbered("", 10, 50))), '-');
  EXPECT_EQ(ClassOf(OneColumn("platelets", Numbered("", 100, 50))), '-');
  EXPECT_EQ(ClassOf(OneColumn("country_name", {"France", "Spain", "Italy"}, 20)), '-');
  EXPECT_EQ(ClassOf(OneColumn("country_id", Numbered("", 1, 12), 20)), '-');
  EXPECT_EQ(ClassOf(OneColumn("job", {"Nurse", "Cook", "Clerk"}, 20)), '-');
  EXPECT_EQ(ClassOf(OneColumn("icd", Numbered("E1", 0, 9), 9)), '-');
}

TEST(FindIdentity, RepeatedNumbersOfPeopleIdentify) {
  EXPECT_EQ(ClassOf(OneColumn("id", Numbered("", 1000, 60), 7)), 'R');
  EXPECT_EQ(ClassOf(OneColumn("subject", Numbered("", 300, 18), 10)), 'R');
  EXPECT_EQ(ClassOf(OneColumn("nr", Numbered("", 13, 60), 8)), 'R');
}

TEST(FindIdentity, BirthsAreDates) {
  const Table table = OneColumn("date_of_birth", {"1984-07-10", "1990-01-31", "1971-12-24"}, 3);
  const auto finding = FindIdentity(table.column(0));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->identity, Identity::kDate);
  EXPECT_FALSE(finding->direct);
  EXPECT_EQ(ClassOf(OneColumn("geburtsdatum", {"10.07.1984", "31.01.1990", "24.12.1971"}, 3)), 'C');
}

TEST(MedicalCode, IsTold) {
  EXPECT_EQ(MedicalCode(OneColumn("x", {"E11.65", "I10", "C50.9", "J45"}).column(0)), "ICD-10 codes");
  EXPECT_EQ(MedicalCode(OneColumn("x", {"A10BA02", "C09AA05", "N02BE01"}).column(0)), "ATC codes");
  EXPECT_EQ(MedicalCode(OneColumn("x", {"2160-0", "718-7", "4548-4"}).column(0)), "LOINC codes");
  EXPECT_EQ(MedicalCode(OneColumn("x", {"nurse", "cook", "clerk"}).column(0)), "");
}

TEST(Hipaa, FindsOldAgesAndZipCodes) {
  const Table table = testing::MakeTable("age zip sex\n34 03601 m\n91 10115 f\n95 10117 m\n");
  const std::vector<HipaaColumn> found = FindHipaa(table);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].column, "zip");
  EXPECT_NE(found[0].evidence.find("3 of them with more than three digits, 1 in areas"), std::string::npos)
      << found[0].evidence;
  EXPECT_EQ(found[1].column, "age");
  EXPECT_NE(found[1].evidence.find("2 different ages over 89"), std::string::npos);
  EXPECT_TRUE(IsRestrictedZip3("03601"));
  EXPECT_FALSE(IsRestrictedZip3("10115"));
}

}  // namespace
}  // namespace tada
